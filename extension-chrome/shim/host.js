// The browser's functions under the names that the wasm imports. The Firefox folder has the same file with the same exports.
// No retry, no default, no decision: when a line here needs a comment, it belongs in Rust. Values cross as JSON text.

const tab = ({ id, windowId, url, title, status, active, index, discarded }) =>
  JSON.stringify({ id, windowId, url, title, status, active, index, discarded });
const json = (value) => (value === undefined ? undefined : JSON.stringify(value));
const target = (tabId, frameId) => ({ tabId, frameIds: [frameId] });

export const capabilities = () => JSON.stringify({ trustedInput: true, sidePanel: "side_panel" });
export const uiLanguage = () => chrome.i18n.getUILanguage();
export const extensionUrl = (path) => chrome.runtime.getURL(path);
export const extensionId = () => chrome.runtime.id;

export const storageGet = async (area, keys) => JSON.stringify(await chrome.storage[area].get(JSON.parse(keys)));
export const storageSet = (area, records) => chrome.storage[area].set(JSON.parse(records));
export const storageRemove = (area, keys) => chrome.storage[area].remove(JSON.parse(keys));
export const onStorageChanged = (callback) =>
  chrome.storage.onChanged.addListener((changes, area) => callback(area, JSON.stringify(changes)));

export const sendMessage = async (message) => json(await chrome.runtime.sendMessage(JSON.parse(message)));
export const onMessage = (callback) =>
  chrome.runtime.onMessage.addListener((message) => {
    callback(JSON.stringify(message));
  });

export const tabsGet = async (tabId) => tab(await chrome.tabs.get(tabId));
export const tabsUpdate = async (tabId, update) => tab(await chrome.tabs.update(tabId, JSON.parse(update)));
export const tabsCreate = async (options) => tab(await chrome.tabs.create(JSON.parse(options)));
export const tabsQuery = async (query) => `[${(await chrome.tabs.query(JSON.parse(query))).map(tab)}]`;
export const tabsGoBack = (tabId) => chrome.tabs.goBack(tabId);
export const tabsGoForward = (tabId) => chrome.tabs.goForward(tabId);
export const historyGo = (tabId, delta) =>
  chrome.scripting.executeScript({ target: target(tabId, 0), func: (steps) => history.go(steps), args: [delta] });
export const onTabActivated = (callback) =>
  chrome.tabs.onActivated.addListener(({ tabId, windowId }) => callback(tabId, windowId));
export const currentWindowId = async () => (await chrome.windows.getCurrent()).id;

export const framesOf = async (tabId) =>
  JSON.stringify(
    ((await chrome.webNavigation.getAllFrames({ tabId })) ?? []).map(({ frameId, parentFrameId, url }) => ({ frameId, parentFrameId, url })),
  );
export const callContent = async (tabId, frameId, request) => {
  const func = (text) => (globalThis.__webbrain ? globalThis.__webbrain.call(text) : null);
  const [frame] = await chrome.scripting.executeScript({ target: target(tabId, frameId), func, args: [request] });
  if (frame?.error) throw frame.error;
  return frame?.result ?? null;
};
export const executeFiles = async (tabId, frameId, files) => {
  const [frame] = await chrome.scripting.executeScript({ target: target(tabId, frameId), files: JSON.parse(files) });
  if (frame?.error) throw frame.error;
  return typeof frame?.result === "string" ? frame.result : null;
};

export const alarmsCreate = (name, info) => chrome.alarms.create(name, JSON.parse(info));
export const alarmsClear = (name) => chrome.alarms.clear(name);
export const keepAlive = () => chrome.runtime.getPlatformInfo();

export const debuggerAttach = (tabId) => chrome.debugger.attach({ tabId }, "1.3");
export const debuggerSend = async (tabId, method, params) =>
  json(await chrome.debugger.sendCommand({ tabId }, method, JSON.parse(params)));
export const debuggerDetach = (tabId) => chrome.debugger.detach({ tabId });

export const openPanel = (tabId) => chrome.sidePanel.open({ tabId });
export const openOptionsPage = () => chrome.runtime.openOptionsPage();
export const permissionsContains = (wanted) => chrome.permissions.contains(JSON.parse(wanted));
export const permissionsRequest = (wanted) => chrome.permissions.request(JSON.parse(wanted));
