// CKEditor 5, the classic editor with what most sites have.
import { Autoformat, Bold, ClassicEditor, Essentials, Heading, Italic, Link, List, Paragraph } from 'ckeditor5';
import 'ckeditor5/ckeditor5.css';
import { place } from './place.js';

let editor;
function text(node) {
  if (node.is('$text')) return node.data;
  if (node.is('element', 'softBreak')) return '\n';
  return [...node.getChildren()].map(text).join('');
}
ClassicEditor.create(place('div'), {
  licenseKey: 'GPL',
  plugins: [Essentials, Paragraph, Autoformat, Bold, Italic, Link, List, Heading],
  toolbar: ['heading', 'bold', 'italic', 'link', 'bulletedList'],
  placeholder: 'Write something',
}).then((made) => { editor = made; });
place.unlabel();
window.model = () => editor && [...editor.model.document.getRoot().getChildren()].map(text).join('\n');
