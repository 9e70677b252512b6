// Plain ProseMirror with its basic schema and keymap.
import { baseKeymap } from '@tiptap/pm/commands';
import { history } from '@tiptap/pm/history';
import { keymap } from '@tiptap/pm/keymap';
import { schema } from 'prosemirror-schema-basic';
import { EditorState } from '@tiptap/pm/state';
import { EditorView } from '@tiptap/pm/view';
import { place } from './place.js';

const view = new EditorView(place('div'), {
  state: EditorState.create({ schema, plugins: [history(), keymap(baseKeymap)] }),
  attributes: { role: 'textbox', 'aria-label': 'Note', 'aria-multiline': 'true' },
});
place.unlabel();
window.model = () => view.state.doc.textBetween(0, view.state.doc.content.size, '\n', '\n');
