// Lexical, rich text with history, as in its own documentation. `model` is what the page would send.
import { $getRoot, createEditor } from 'lexical';
import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { registerRichText } from '@lexical/rich-text';
import { place } from './place.js';

const root = place('div');
root.contentEditable = 'true';
const editor = createEditor({ namespace: 'test', onError: (error) => { throw error; } });
editor.setRootElement(root);
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
window.model = () => editor.getEditorState().read(
  () => $getRoot().getChildren().map((block) => block.getTextContent()).join('\n'),
);
