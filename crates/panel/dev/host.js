// A fake shim to look at the pages without an extension: `?scene=NAME` chooses what the chat holds. Never shipped.
const query = new URLSearchParams(location.search);
const scene = query.get("scene") ?? "empty";
const listeners = { storage: [], message: [] };
let storage = {
  actConfirmed: scene !== "act",
  ...(scene !== "empty" && {
    activeProvider: "openai",
    providers: { openai: { baseUrl: "", apiKey: "sk-test", model: "gpt-5.5" }, ollama: { baseUrl: "http://localhost:11434/v1", model: "qwen3:8b" } },
    wb_permissions: [
      { capability: "click", host: "shop.example", action: "allow", duration: "always", ts: 1 },
      { capability: "navigate", host: "bank.example:8443", action: "deny", duration: "always", ts: 2 },
    ],
  }),
  ...(scene === "corrupt" && { providers: { openai: 7 }, activeProvider: 5, wb_permissions: "x", maxAgentSteps: "many", requestTimeoutMs: [], verboseMode: "yes" }),
  ...(query.get("theme") && { themeMode: query.get("theme") }),
};
const at = Date.now();
const user = (id, text, mode = "act") => ({ item: "user", id, text, mode, at });
const step = (id, tool, args, status, summary = "") => ({ item: "step", id, tool, args: JSON.stringify(args), status, summary });
const says = (id, text, streaming = false, reasoning = "") => ({ item: "assistant", id, text, reasoning, streaming, at });
const markdown = `### Three plans compared

The **Team** plan is the cheapest per seat. See [the price page](https://shop.example/prices) for details, or \`/pricing.json\`.

| Plan | Seats | Price a month |
|:--|:-:|--:|
| Solo | 1 | €9.00 |
| Team | 10 | €59.00 |
| Company | unlimited | €199.00 |

1. Team costs *€5.90* a seat
2. Solo costs €9

- [x] Compared prices
- [ ] Asked for a discount

> Prices without VAT.

\`\`\`js
const perSeat = (plan) => plan.price / plan.seats; // a rather long line that has to scroll sideways
\`\`\`

![A chart of prices](https://shop.example/chart.png) and <b>raw html</b> stay text.`;
const form = [
  user(1, "Create a product named 'namaz', 500 CNY, every 2 months"),
  step(2, "get_accessibility_tree", { filter: "interactive" }, "ok", "42 nodes, 11 controls"),
  says(3, "I see the product form. I fill in the name and the price first.", false, "The form has a name field and a currency combobox. The interval is a portal dropdown."),
  { item: "card", id: 4, body: { card: "permission", capabilities: ["click", "type"], host: "admin.shop.example", tool: "set_field", target: "textbox \"Name\"" }, answer: "once" },
  step(5, "set_field", { ref_id: "ref_3", value: "namaz" }, "ok", "Name is now “namaz”"),
  step(6, "set_field", { ref_id: "ref_5", value: "500" }, "ok", "Price is now “500”"),
  step(7, "click_ax", { ref_id: "ref_9" }, "error", "ref_9 is covered by the cookie banner"),
  step(8, "click_ax", { ref_id: "ref_31" }, "ok", "Clicked button “Accept cookies”"),
];
const scenes = {
  empty: { status: "idle", items: [] },
  act: { status: "idle", items: [] },
  corrupt: { status: "idle", items: [] },
  protected: { status: "idle", items: [], notice: { key: "error.tabProtected", args: { url: "chrome://extensions" } } },
  running: { status: "running", thinking: true, items: [...form, step(9, "set_field", { ref_id: "ref_12", value: "Every 2 months" }, "running")] },
  permission: { status: "waiting", items: [...form.slice(0, 3), { item: "card", id: 4, body: { card: "permission", capabilities: ["click", "type"], host: "admin.shop.example", tool: "set_field", target: "Type “namaz” into textbox “Name”" }, answer: null }] },
  clarify: { status: "waiting", items: [...form, { item: "card", id: 20, body: { card: "clarify", question: "Which currency symbol should the price list show?", options: ["CNY ¥", "RMB", "Neither, only the number"] }, answer: null }] },
  continue: { status: "waiting", items: [...form, { item: "card", id: 20, body: { card: "continue", steps: 130 }, answer: null }] },
  error: { status: "failed", items: [user(1, "summarise this page", "ask"), { item: "notice", message: { key: "notice.retrying", args: { seconds: "2" } }, level: "info" }, { item: "card", id: 2, body: { card: "error", message: { key: "error.unreachable", args: { server: "http://localhost:11434" } }, retry: true }, answer: null }] },
  closed: { status: "failed", items: [user(1, "summarise this page", "ask"), { item: "card", id: 2, body: { card: "error", message: { key: "error.tabClosed" }, retry: false }, answer: null }] },
  limited: { status: "failed", items: [user(1, "summarise this page", "ask"), ...["2", "4", "8"].map((seconds) => ({ item: "notice", message: { key: "notice.retrying", args: { seconds } }, level: "info" })), { item: "card", id: 2, body: { card: "error", message: { key: "error.rateLimited", args: { server: "Groq", seconds: "40", detail: "Rate limit reached for model llama-3.3-70b on tokens per minute: limit 6000, used 5900." } }, retry: true }, answer: null }] },
  failed: { status: "failed", items: [
    user(1, `Fill the form with these lines:\n${Array.from({ length: 40 }, (_, n) => `${n + 1}. a line of the order`).join("\n")}`),
    step(2, "get_accessibility_tree", {}, "ok", "20"),
    step(3, "click_ax", { ref_id: "ref_7" }, "error", "button “Save” is covered by dialog “Cookies”"),
    step(4, "navigate", { url: "https://nowhere.example/" }, "error", "https://nowhere.example/ could not be loaded"),
    step(5, "type_ax", { ref_id: "ref_9", text: "x" }, "denied", "textbox “Password”"),
    step(6, "click_ax", { ref_id: "ref_9" }, "unknown", "button “Pay”"),
    step(7, "read_page", {}, "ok", "1"),
    says(8, "“Save” is covered by the dialog “Cookies”. Close it, then ask again."),
  ] },
  arabic: { status: "waiting", items: [
    user(1, "انقر على حفظ"),
    step(2, "click_ax", { ref_id: "ref_3" }, "error", "\"حفظ التغييرات\" is disabled"),
    says(3, "“حفظ التغييرات” is disabled, so it was not clicked. Fill in «الاسم» first."),
    { item: "card", id: 4, body: { card: "clarify", question: "Which one?", options: [] }, answer: "زر حفظ" },
    says(5, "تم حفظ المنتج \"namaz\" بنجاح."),
    { item: "card", id: 6, body: { card: "permission", capabilities: ["click", "type"], host: "xn--mgbt3dhd.example", tool: "set_field", target: "“حفظ” (button)" }, answer: "once" },
    { item: "card", id: 7, body: { card: "permission", capabilities: ["click"], host: "shop.example", tool: "click_ax", target: "“حفظ” (button)" }, answer: null },
  ] },
  done: { status: "done", items: [...form, step(9, "done", { outcome: "success" }, "ok", "success"), says(10, "The product **namaz** was created: 500 CNY, every 2 months. The list shows it in the first row."), user(11, "Which plan is the cheapest?", "ask"), says(12, markdown)] },
  stream: { status: "running", items: [user(1, "Which plan is the cheapest?", "ask")] },
  long: { status: "done", items: Array.from({ length: 150 }, (_, n) => [user(3 * n + 1, `Question ${n}`), step(3 * n + 2, "read_page", {}, "ok", "3 pages"), says(3 * n + 3, n % 5 ? `Answer ${n} in a few words, with **bold** text.` : markdown)]).flat() },
};
// Enums are externally tagged: {kind: fields}.
const tagged = ({ item, ...fields }) => ({ [item]: fields.body ? { ...fields, body: card(fields.body) } : fields });
const card = ({ card, ...fields }) => ({ [card]: fields });
const { notice, ...shown } = scenes[scene] ?? scenes.empty;
const chat = { tabId: 1, seq: 0, thinking: false, mode: "act", ...shown, items: shown.items.map(tagged) };
const send = (seq, event) => listeners.message.forEach((heard) => heard(JSON.stringify({ action: "agent_update", tabId: 1, requestId: "r", runId: "u", seq, ...event })));
if (scene === "stream") {
  let offset = 0;
  const text = markdown.repeat(4);
  const bytes = (s) => new TextEncoder().encode(s).length;
  const timer = setInterval(() => {
    const piece = text.slice(offset, offset + 12);
    if (!piece) return clearInterval(timer), send(1, { type: "text", data: { id: 2, text, reasoning: "", at } });
    send(0, { type: "text_delta", data: { id: 2, offset: bytes(text.slice(0, offset)), text: piece, at } });
    offset += 12;
  }, 8);
}
export const uiLanguage = () => "en-US";
export const storageGet = async (_, keys) => JSON.stringify(Object.fromEntries(JSON.parse(keys).filter((k) => k in storage).map((k) => [k, storage[k]])));
export const storageSet = async (area, json) => {
  storage = { ...storage, ...JSON.parse(json) };
  listeners.storage.forEach((heard) => heard(area, JSON.stringify(Object.fromEntries(Object.keys(JSON.parse(json)).map((k) => [k, {}])))));
};
export const onStorageChanged = (heard) => listeners.storage.push(heard);
export const onMessage = (heard) => listeners.message.push(heard);
export const sendMessage = async (json) => {
  const request = JSON.parse(json);
  globalThis.sent = [...(globalThis.sent ?? []), request];
  if (request.action === "agent_run_state") return JSON.stringify({ ok: true, chat: scene === "stream" ? undefined : chat, pageNotice: notice });
  if (request.action === "chat_start") return JSON.stringify({ ok: false, error: { key: "error.busy" } });
  if (request.action === "detect_local_servers") return JSON.stringify({ ok: true, servers: [{ providerId: "ollama", baseUrl: "http://localhost:11434/v1", models: ["qwen3:8b", "llama3.3:70b"] }] });
  // The first test answers after the second: its result is a stale one.
  if (request.action === "test_provider" && query.has("slow")) {
    globalThis.tests = (globalThis.tests ?? 0) + 1;
    const [name, wait] = globalThis.tests === 1 ? ["stale", 3000] : ["fresh", 300];
    await new Promise((done) => setTimeout(done, wait));
    return JSON.stringify({ ok: true, model: name });
  }
  if (request.action === "test_provider") return JSON.stringify({ ok: false, error: { key: "error.auth", args: { server: "api.openai.com" } } });
  if (request.action === "list_provider_models") return JSON.stringify({ ok: true, models: ["a", "b"] });
  return JSON.stringify({ ok: true });
};
export const tabsQuery = async () => JSON.stringify([{ id: 1 }]);
export const currentWindowId = async () => 1;
export const onTabActivated = () => {};
export const openOptionsPage = async () => { globalThis.opened = true; };
