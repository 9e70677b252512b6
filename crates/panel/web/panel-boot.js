// Loads the panel's wasm and starts it; the module draws the page that `data-page` names.
import init from "./panel.js";

await init({ module_or_path: new URL("panel_bg.wasm", import.meta.url) });
