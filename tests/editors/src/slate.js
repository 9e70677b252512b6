// Slate with history and its own placeholder, which lies inside of the editable element.
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Node, createEditor } from 'slate';
import { withHistory } from 'slate-history';
import { Editable, Slate, withReact } from 'slate-react';
import { place } from './place.js';

let editor;
function App() {
  [editor] = useState(() => withHistory(withReact(createEditor())));
  const editable = createElement(Editable, { 'aria-label': 'Note', placeholder: 'Write something' });
  return createElement(Slate, { editor, initialValue: [{ type: 'paragraph', children: [{ text: '' }] }] }, editable);
}
createRoot(place('div')).render(createElement(App));
place.unlabel();
window.model = () => editor.children.map((block) => Node.string(block)).join('\n');
