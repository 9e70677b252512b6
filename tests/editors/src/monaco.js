// Monaco without its workers: text lives in a model, and what is typed goes to a hidden field.
import * as monaco from 'monaco-editor';
import { place } from './place.js';

window.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob([''], { type: 'text/javascript' }))) };
const host = place('div');
place.unlabel();
host.style.cssText = 'width: 600px; height: 240px;';
const options = { value: '', language: 'plaintext', ariaLabel: 'Note', minimap: { enabled: false } };
const editor = monaco.editor.create(host, { ...options, editContext: !location.search.includes('textarea') });
window.model = () => editor.getModel().getValue();
