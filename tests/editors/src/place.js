// Where an editor goes.
export function place(kind) {
  const made = document.createElement(kind);
  made.id = 'host';
  made.setAttribute('role', 'textbox');
  made.setAttribute('aria-label', 'Note');
  document.body.append(made);
  return made;
}

// For an editor that makes its own editable element inside.
place.unlabel = () => {
  const host = document.getElementById('host');
  host?.removeAttribute('role');
  host?.removeAttribute('aria-label');
};
