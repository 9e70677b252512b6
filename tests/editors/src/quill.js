// Quill with its snow theme and toolbar.
import Quill from 'quill';
import 'quill/dist/quill.snow.css';
import { place } from './place.js';

const quill = new Quill(place('div'), { theme: 'snow', placeholder: 'Write something' });
place.unlabel();
quill.root.setAttribute('role', 'textbox');
quill.root.setAttribute('aria-label', 'Note');
// Its text always ends with a newline of its own.
window.model = () => quill.getText().replace(/\n$/, '');
