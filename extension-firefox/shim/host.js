// The browser's functions under the names that the wasm imports. The Chrome folder has the same file with the same exports.
// No retry, no default, no decision: when a line here needs a comment, it belongs in Rust. Values cross as JSON text.

const tab = ({ id, windowId, url, title, status, active, index, discarded }) =>
  JSON.stringify({ id, windowId, url, title, status, active, index, discarded });
const json = (value) => (value === undefined ? undefined : JSON.stringify(value));
const target = (tabId, frameId) => ({ tabId, frameIds: [frameId] });

export const capabilities = () => JSON.stringify({ trustedInput: false, sidePanel: "sidebar" });
export const uiLanguage = () => browser.i18n.getUILanguage();
export const extensionUrl = (path) => browser.runtime.getURL(path);
export const extensionId = () => browser.runtime.id;

export const storageGet = async (area, keys) => JSON.stringify(await browser.storage[area].get(JSON.parse(keys)));
export const storageSet = (area, records) => browser.storage[area].set(JSON.parse(records));
export const storageRemove = (area, keys) => browser.storage[area].remove(JSON.parse(keys));
export const onStorageChanged = (callback) =>
  browser.storage.onChanged.addListener((changes, area) => callback(area, JSON.stringify(changes)));

export const sendMessage = async (message) => json(await browser.runtime.sendMessage(JSON.parse(message)));
export const onMessage = (callback) =>
  browser.runtime.onMessage.addListener((message) => {
    callback(JSON.stringify(message));
  });

export const tabsGet = async (tabId) => tab(await browser.tabs.get(tabId));
export const tabsUpdate = async (tabId, update) => tab(await browser.tabs.update(tabId, JSON.parse(update)));
export const tabsCreate = async (options) => tab(await browser.tabs.create(JSON.parse(options)));
export const tabsQuery = async (query) => `[${(await browser.tabs.query(JSON.parse(query))).map(tab)}]`;
export const tabsGoBack = (tabId) => browser.tabs.goBack(tabId);
export const tabsGoForward = (tabId) => browser.tabs.goForward(tabId);
export const historyGo = (tabId, delta) =>
  browser.scripting.executeScript({ target: target(tabId, 0), func: (steps) => history.go(steps), args: [delta] });
export const onTabActivated = (callback) =>
  browser.tabs.onActivated.addListener(({ tabId, windowId }) => callback(tabId, windowId));
export const currentWindowId = async () => (await browser.windows.getCurrent()).id;

export const framesOf = async (tabId) =>
  JSON.stringify(
    ((await browser.webNavigation.getAllFrames({ tabId })) ?? []).map(({ frameId, parentFrameId, url }) => ({ frameId, parentFrameId, url })),
  );
export const callContent = async (tabId, frameId, request) => {
  const func = (text) => (globalThis.__webbrain ? globalThis.__webbrain.call(text) : null);
  const [frame] = await browser.scripting.executeScript({ target: target(tabId, frameId), func, args: [request] });
  if (frame?.error) throw frame.error;
  return frame?.result ?? null;
};
export const executeFiles = async (tabId, frameId, files) => {
  const [frame] = await browser.scripting.executeScript({ target: target(tabId, frameId), files: JSON.parse(files) });
  if (frame?.error) throw frame.error;
  return typeof frame?.result === "string" ? frame.result : null;
};

export const alarmsCreate = (name, info) => browser.alarms.create(name, JSON.parse(info));
export const alarmsClear = (name) => browser.alarms.clear(name);
export const keepAlive = () => browser.runtime.getPlatformInfo();

const unsupported = () => Promise.reject(new Error("unsupported"));
export const debuggerAttach = unsupported;
export const debuggerSend = unsupported;
export const debuggerDetach = unsupported;

export const openPanel = () => browser.sidebarAction.open();
export const openOptionsPage = () => browser.runtime.openOptionsPage();
export const permissionsContains = (wanted) => browser.permissions.contains(JSON.parse(wanted));
export const permissionsRequest = (wanted) => browser.permissions.request(JSON.parse(wanted));
