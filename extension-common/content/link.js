// The reader's end of the way to the actor, the half of the content script that acts. The background brings that into the frame
// when a call is answered by what `missing` says; its script then calls `meet`. `form` is set where this is bundled.
const actor = {
  core: null,
  coming: null,
  missing: () => (actor.coming === null ? "need-act-" + form : null),
  meet: (coming) => {
    actor.coming = coming.then((core) => {
      actor.core = core;
    });
  },
  ready: () => actor.coming,
  giveUp: () => actor.core?.giveUp(),
};
