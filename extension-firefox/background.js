// Listeners are registered in the first turn: an event that wakes the page must find them. The core is loaded by the first
// event that concerns it.
import init, * as core from "./background_core.js";

let loading;
const ready = () =>
  (loading ??= init({ module_or_path: new URL("background_core_bg.wasm", import.meta.url) }).then(async () => {
    await core.boot();
    return core;
  }));

const failed = (error) => ({ ok: false, error: { key: "error.internal", args: { detail: String(error) } } });
const senderOf = ({ id, url, tab, frameId }) => JSON.stringify({ id, url, tabId: tab?.id, frameId });

browser.runtime.onMessage.addListener((message, sender) => {
  if (typeof message?.action !== "string" || message.action === "agent_update") return undefined;
  return ready()
    .then((c) => c.on_message(JSON.stringify(message), senderOf(sender)))
    .then((answer) => JSON.parse(answer))
    .catch(failed);
});
browser.alarms.onAlarm.addListener(({ name }) => ready().then((c) => c.on_alarm(name)));
browser.tabs.onRemoved.addListener((tabId) => ready().then((c) => c.on_tab_removed(tabId)));
// While the core is not loaded no run is at work, and the user's own navigation concerns nobody.
const navigation = (kind) => ({ tabId, frameId, url }) => {
  if (loading) loading.then((c) => c.on_navigation(tabId, frameId, url, kind));
};
browser.webNavigation.onCommitted.addListener(navigation("committed"));
browser.webNavigation.onCompleted.addListener(navigation("completed"));
browser.webNavigation.onHistoryStateUpdated.addListener(navigation("history"));
browser.browserAction.onClicked.addListener(() => browser.sidebarAction.open());
