// CodeMirror 6 with its basic setup: brackets close by themselves, lines are indented, only visible lines are drawn.
import { EditorView, basicSetup } from 'codemirror';
import { place } from './place.js';

const view = new EditorView({
  parent: place('div'),
  extensions: [basicSetup, EditorView.contentAttributes.of({ 'aria-label': 'Note' })],
});
place.unlabel();
view.dom.style.maxHeight = '240px';
window.model = () => view.state.doc.toString();
