// TipTap on ProseMirror, with its starter kit: links, lists, input rules and paste rules.
import { Editor } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
import { place } from './place.js';

const editor = new Editor({
  element: place('div'),
  extensions: [StarterKit],
  editorProps: { attributes: { role: 'textbox', 'aria-label': 'Note', 'aria-multiline': 'true' } },
});
place.unlabel();
window.model = () => editor.getText({ blockSeparator: '\n' });
