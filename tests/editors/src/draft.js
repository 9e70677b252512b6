// Draft.js, which listens through React.
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Editor, EditorState } from 'draft-js';
import 'draft-js/dist/Draft.css';
import { place } from './place.js';

let state;
function App() {
  const [editorState, onChange] = useState(() => EditorState.createEmpty());
  state = editorState;
  return createElement(Editor, { editorState, onChange, ariaLabel: 'Note', placeholder: 'Write something' });
}
createRoot(place('div')).render(createElement(App));
place.unlabel();
window.model = () => state.getCurrentContent().getBlocksAsArray().map((block) => block.getText()).join('\n');
