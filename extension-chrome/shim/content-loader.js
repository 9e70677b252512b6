// Runs once in a frame that a run needs. Its value tells which form of the content script to inject: the page's own policy may
// forbid WebAssembly, and only trying tells.
globalThis.__webbrainHost ??= {
  stop: () => chrome.runtime.sendMessage({ action: "page_stop" }),
  text: (key) => chrome.i18n.getMessage(key),
};
(() => {
  if (document.contentType === "application/pdf") return "pdf";
  try {
    new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    return "wasm";
  } catch {
    return "js";
  }
})();
