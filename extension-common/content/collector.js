// Reads the document for the content script into numbers and text, and answers what is asked about single elements. It decides
// nothing: names, roles and what is shown are Rust's. It is JavaScript because the calls into the DOM are the cost of reading a
// page; docs/page-tree.md has the figures.
//
// An element is written as: tag | flags << 16, its key, its key for what is below it, number of attributes, then (name, length)
// for each attribute, then its children, then END. Elements with equal keys have the same name and attributes, as far as rules
// of style usually look at them. A text node is TEXT and its length. Values and texts follow each other in one string.
const TEXT = -1;
const GAP = -2;
const END = -3;
const HAS_ATTRIBUTES = 1;
// Its children were not read; `children` reads them.
const UNREAD = 2;
const HOST = 4;
const LONGEST_TEXT = 600;
const LONGEST_VALUE = 1000;
const DEEPEST = 400;
// With more elements that have an id, an id makes no difference to what is below.
const MANY_IDS = 300;

const tags = new Map();
const names = new Map();
let unread = new Set();
let other = 0;
const numbers = new WeakMap();
const held = new Map();

const SCROLLS = new Set(["auto", "scroll", "overlay"]);
const ASKS = [{ visibilityProperty: true, opacityProperty: true }, { visibilityProperty: true }, {}];

// Tells the collector the numbers of tags and attributes; lists are joined by spaces.
function setUp(tagNames, attributeNames, unreadTags) {
  tagNames.trim().split(" ").forEach((name, index) => tags.set(name, index));
  other = tags.size;
  attributeNames.split(" ").forEach((name, index) => names.set(name, index));
  unread = new Set(unreadTags.split(" ").map((name) => tags.get(name)));
}

function shadowOf(element, custom) {
  if (!custom) return element.shadowRoot;
  if (element.openOrClosedShadowRoot !== undefined) return element.openOrClosedShadowRoot;
  const dom = globalThis.chrome?.dom;
  if (dom?.openOrClosedShadowRoot && element instanceof HTMLElement) return dom.openOrClosedShadowRoot(element);
  return element.shadowRoot;
}

function frameBody(element) {
  try {
    return element.contentDocument?.body ?? null;
  } catch {
    return null;
  }
}

// Only what a window of another origin may be asked: its parent, and the frames in that.
function placeOf(window) {
  // Firefox tells the frame's id; there windows of other origins are not equal to themselves.
  const id = window && globalThis.browser?.runtime?.getFrameId?.(window);
  if (id >= 0) return `#${id}`;
  const place = [];
  for (let at = window; at && at !== at.parent && place.length < 20; at = at.parent) {
    const around = at.parent;
    let index = 0;
    while (index < around.length && around[index] !== at) index += 1;
    place.unshift(index < around.length ? index : "?");
  }
  return place.join(".");
}

class Collector {
  constructor() {
    this.elements = [];
    this.index = null;
    this.keys = new Map();
    this.labelled = new Map();
    this.scopes = new Map();
    this.scope = "";
    // What was asked beyond the structure, as (question, element, answer), and where the structure is not the DOM's own.
    this.asked = [];
    this.roots = [];
    this.slots = [];
    this.frames = [];
    this.observer = null;
    this.changed = true;
    this.deepIds = document.querySelectorAll("[id]").length <= MANY_IDS;
    this.numbers = new Int32Array(1 << 12);
    this.at = 0;
    this.texts = [];
  }

  put(number) {
    if (this.at === this.numbers.length) {
      const larger = new Int32Array(this.at * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.at++] = number;
  }

  key(text) {
    let key = this.keys.get(text);
    if (key === undefined) this.keys.set(text, (key = this.keys.size + 1));
    return key;
  }

  // Writes an element with everything below it, or without its children where they are left unread.
  element(element, depth, alone) {
    const name = element.localName;
    const tag = tags.get(name) ?? other;
    this.elements.push(element);
    const head = this.at;
    this.put(0);
    this.put(0);
    this.put(0);
    this.put(0);
    let flags = 0;
    let skip = alone || depth > DEEPEST || unread.has(tag);
    let own = "";
    let id = "";
    if (element.hasAttributes()) {
      flags = HAS_ATTRIBUTES;
      let count = 0;
      for (const attribute of element.getAttributeNames()) {
        const number = names.get(attribute);
        if (number === undefined && attribute.startsWith("on")) continue;
        const value = element.getAttribute(attribute);
        if (number !== undefined) {
          const kept = value.length > LONGEST_VALUE ? value.slice(0, LONGEST_VALUE) : value;
          this.put(number);
          this.put(kept.length);
          this.texts.push(kept);
          count++;
        }
        switch (attribute) {
          case "class":
          case "style":
            own += "\n" + value;
            if (attribute === "style" && value.includes("none") && element.style.display === "none") skip = true;
            break;
          case "id":
            id = value;
            break;
          case "hidden":
          case "inert":
            skip = true;
            own += "\n" + attribute + value;
            break;
          case "aria-hidden":
            if (value === "true") skip = true;
            own += "\n" + attribute + value;
            break;
          case "href":
          case "src":
          case "alt":
          case "title":
          case "for":
          case "name":
          case "value":
          case "placeholder":
          case "aria-label":
            break;
          default:
            if (value.length < 16 && !/^\d/.test(value)) own += "\n" + attribute + "=" + value;
        }
      }
      this.numbers[head + 3] = count;
    }
    const base = tag + (tag === other ? name : "") + this.scope + own;
    const whole = id ? this.key(base + "#" + id) : this.key(base);
    this.numbers[head + 1] = whole;
    this.numbers[head + 2] = this.deepIds || !id ? whole : this.key(base);
    if (skip) flags |= UNREAD;
    else flags |= this.inside(element, name, tag, depth);
    this.numbers[head] = tag | (flags << 16);
    this.put(END);
  }

  // Writes the children in the flat tree.
  inside(element, name, tag, depth) {
    if (name === "iframe" || name === "frame") {
      const body = frameBody(element);
      this.frames.push(element, body);
      if (body) this.within(body.ownerDocument, () => this.element(body, depth + 1, false));
      return 0;
    }
    if (name === "slot") {
      const assigned = element.assignedNodes();
      this.slots.push(element, assigned);
      if (assigned.length > 0) {
        for (const node of assigned) this.node(node, depth);
        return 0;
      }
    }
    const custom = tag === other && name.includes("-");
    const root = custom || HOSTS.has(name) ? shadowOf(element, custom) : null;
    if (custom || HOSTS.has(name)) this.roots.push(element, root);
    if (!root) return this.below(element, element, name, depth);
    this.within(root, () => this.below(element, root, name, depth));
    return HOST;
  }

  // Writes the children in the tree.
  below(element, from, name, depth) {
    const first = from.firstChild;
    if (!first) return 0;
    if (from.firstElementChild === null) {
      if (first.nextSibling) this.text(from.textContent);
      else if (first.nodeType === 3) this.text(first.data);
      return 0;
    }
    // Of closed details only the summary is there to see.
    const closed = name === "details" && !element.open;
    for (let child = first; child; child = child.nextSibling) {
      const type = child.nodeType;
      if (type === 1) this.element(child, depth + 1, closed && child.localName !== "summary");
      else if (type === 3) this.text(child.data);
    }
    return 0;
  }

  // Runs `work` in the scope of a document or shadow root: rules of style do not reach from one into another, so elements of
  // different scopes are never taken to look alike. Shadow trees of custom elements of one name and class share a scope.
  within(root, work) {
    const outer = this.scope;
    this.scope = this.scopeOf(root);
    work();
    this.scope = outer;
  }

  scopeOf(root) {
    if (root === document) return "";
    let scope = this.scopes.get(root);
    if (scope === undefined) {
      const host = root.host;
      const own = host?.localName.includes("-") ? `${host.localName} ${host.getAttribute("class")}` : this.scopes.size;
      this.scopes.set(root, (scope = `\n^${own}^`));
    }
    return scope;
  }

  node(node, depth) {
    if (node.nodeType === 1) this.element(node, depth + 1, false);
    else if (node.nodeType === 3) this.text(node.data);
  }

  text(data) {
    if (data === "") return;
    const kept = data.length > LONGEST_TEXT ? data.slice(0, LONGEST_TEXT) : data;
    if (!/[^ \t\n\r\f]/.test(kept)) {
      this.put(GAP);
      return;
    }
    this.put(TEXT);
    this.put(kept.length);
    this.texts.push(kept);
  }

  // Collects an element with what is below it.
  tree(element) {
    this.element(element, 0, false);
  }

  // Collects an element alone. Returns its number when it was collected before, else -1.
  one(element) {
    if (this.index === null) {
      this.index = new Map();
      this.indexed = 0;
    }
    for (; this.indexed < this.elements.length; this.indexed++) this.index.set(this.elements[this.indexed], this.indexed);
    const known = this.index.get(element);
    if (known !== undefined) return known;
    this.within(element.getRootNode(), () => this.element(element, 0, true));
    return -1;
  }

  // Collects the children of an element whose children were left unread.
  children(number) {
    const element = this.elements[number];
    const name = element.localName;
    this.within(element.getRootNode(), () => this.inside(element, name, tags.get(name) ?? other, 0));
  }

  // What was collected since the last call.
  take() {
    const part = this.numbers.slice(0, this.at);
    this.at = 0;
    return part;
  }

  // The texts that belong to what `take` gave.
  takeText() {
    const text = this.texts.join("");
    this.texts = [];
    return text;
  }

  get(number) {
    return this.elements[number];
  }

  ask(question, number) {
    const answer = question(this.elements[number]);
    this.asked.push(question, number, answer);
    return answer;
  }

  painted(number) {
    return this.ask(painted, number);
  }

  rect(number) {
    return this.ask(rect, number);
  }

  small(number) {
    return this.ask(small, number);
  }

  narrow(number) {
    return this.ask(narrow, number);
  }

  scrolls(number) {
    return this.ask(canScroll, number);
  }

  style(number) {
    return this.ask(style, number);
  }

  before(number) {
    return this.ask(before, number);
  }

  after(number) {
    return this.ask(after, number);
  }

  live(number) {
    return this.ask(live, number);
  }

  // From now on `unchanged` can be asked: the first mutation is the last that is listened to.
  watch() {
    this.changed = false;
    this.around = around();
    this.body = document.body;
    this.observer = new MutationObserver(() => this.leave());
    const what = { subtree: true, childList: true, attributes: true, characterData: true };
    for (const root of [document.body ?? document, ...this.scopes.keys()]) this.observer.observe(root, what);
  }

  // Listens no longer; what was read counts as changed.
  leave() {
    this.changed = true;
    this.observer?.disconnect();
    this.observer = null;
  }

  // Whether the same reading would give the same: nothing in the structure changed since `watch`, and all that was asked
  // beyond it is answered as it was.
  unchanged() {
    if (this.changed || this.observer.takeRecords().length > 0 || !this.stands()) this.leave();
    return !this.changed;
  }

  // Style, boxes and live values change without a mutation; so do shadow roots, slots and frames.
  stands() {
    if (this.around !== around() || this.body !== document.body) return false;
    const { roots, slots, frames, asked, elements } = this;
    for (let at = 0; at < roots.length; at += 2) {
      if (shadowOf(roots[at], roots[at].localName.includes("-")) !== roots[at + 1]) return false;
    }
    for (let at = 0; at < frames.length; at += 2) if (frameBody(frames[at]) !== frames[at + 1]) return false;
    for (let at = 0; at < slots.length; at += 2) if (!same(slots[at].assignedNodes(), slots[at + 1])) return false;
    for (let at = 0; at < asked.length; at += 3) {
      if (!same(asked[at](elements[asked[at + 1]]), asked[at + 2])) return false;
    }
    return true;
  }

  // Labels of a form control. `element.labels` walks the whole tree for each control; this walks it once for each root.
  labels(number) {
    const element = this.elements[number];
    const root = element.getRootNode();
    let known = this.labelled.get(root);
    if (known === undefined) {
      known = new Map();
      for (const label of root.querySelectorAll?.("label") ?? []) {
        const control = label.control;
        if (control && known.has(control)) known.get(control).push(label);
        else if (control) known.set(control, [label]);
      }
      this.labelled.set(root, known);
    }
    return known.get(element) ?? [];
  }

  // The ref number of an element; `next` when it had none.
  number(number, next) {
    const element = this.elements[number];
    let known = numbers.get(element);
    if (known === undefined) {
      numbers.set(element, (known = next));
      held.set(known, new WeakRef(element));
    }
    return known;
  }
}

function same(a, b) {
  if (typeof a !== "object") return a === b;
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

// What a reading depends on besides elements.
function around() {
  const root = document.documentElement;
  const scheme = root && getComputedStyle(root).colorScheme;
  const page = [innerWidth, innerHeight, scrollX, scrollY, root?.scrollWidth, root?.scrollHeight];
  return [location.href, document.baseURI, scheme, ...page].join(" ");
}

// 0 painted, 1 transparent, 2 hidden, 3 without a box of its own, 4 not rendered.
function painted(element) {
  if (!element.checkVisibility) return 0;
  for (let ask = 0; ask < 3; ask++) if (element.checkVisibility(ASKS[ask])) return ask;
  return getComputedStyle(element).display === "contents" ? 3 : 4;
}

// Left, top, width and height in CSS px of the top document's viewport.
function rect(element) {
  const box = element.getBoundingClientRect();
  const out = new Float64Array([box.x, box.y, box.width, box.height]);
  for (let doc = element.ownerDocument; doc !== document; ) {
    const frame = doc.defaultView?.frameElement;
    if (!frame) break;
    const around = frame.getBoundingClientRect();
    out[0] += around.x + frame.clientLeft;
    out[1] += around.y + frame.clientTop;
    doc = frame.ownerDocument;
  }
  return out;
}

// Whether there is hardly anything of it: a box of at most one px in a direction.
function small(element) {
  const width = element.offsetWidth;
  if (width === undefined) {
    const box = element.getBoundingClientRect();
    return box.width <= 1 || box.height <= 1;
  }
  return width <= 1 || element.offsetHeight <= 1;
}

// Whether there is hardly any room in it.
function narrow(element) {
  return element.clientHeight <= 1 || element.clientWidth <= 1;
}

// Whether it is a container whose content can be scrolled.
function canScroll(element) {
  const down = element.scrollHeight > element.clientHeight + 1;
  const across = element.scrollWidth > element.clientWidth + 1;
  if (!down && !across) return false;
  const style = getComputedStyle(element);
  return (down && SCROLLS.has(style.overflowY)) || (across && SCROLLS.has(style.overflowX));
}

// Computed properties that say whether something is seen, joined by line ends; dear ones only where they matter.
function style(element) {
  const style = getComputedStyle(element);
  const position = style.position;
  let out =
    style.display + "\n" + style.visibility + "\n" + style.opacity + "\n" + position + "\n" + style.cursor + "\n" +
    style.overflowX + "\n" + style.fontSize + "\n" + style.color + "\n" + style.backgroundColor + "\n" +
    style.backgroundImage.slice(0, 4) + "\n" + style.clipPath + "\n" + style.transform.slice(0, 4) + "\n" +
    style.textIndent + "\n" + style.marginLeft + "\n";
  if (position === "relative") out += style.left + "\n" + style.top;
  else if (position !== "static") out += style.clip;
  return out;
}

// Content and display of a pseudo-element; empty without content.
function pseudo(element, which) {
  const style = getComputedStyle(element, which);
  const content = style.content;
  return content === "none" || content === "normal" || content === "" ? "" : style.display + "\n" + content;
}

function before(element) {
  return pseudo(element, "::before");
}

function after(element) {
  return pseudo(element, "::after");
}

// What the user did to a control: 1 disabled, 2 checked, 4 neither on nor off, 8 selected; and the value.
function live(element) {
  const { checked, indeterminate, selected, value } = element;
  const flags = element.matches(":disabled") + 2 * (checked === true) + 4 * (indeterminate === true) + 8 * (selected === true);
  return String.fromCharCode(48 + flags) + (typeof value === "string" ? value : "");
}

// Elements that often carry a shadow root without being custom elements.
const HOSTS = new Set(["div", "span", "section", "article", "main", "body", "aside", "header", "footer", "nav"]);

function isHost(element) {
  return shadowOf(element, element.localName.includes("-")) !== null;
}

// Elements of the document and of every shadow tree that can be entered, of which `test` is true.
function throughout(test) {
  const found = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (test(element)) found.push(element);
      const inner = shadowOf(element, element.localName.includes("-"));
      if (inner) visit(inner);
    }
  };
  visit(document);
  return found;
}

function everywhere(selector) {
  document.querySelector(selector);
  return throughout((element) => element.matches(selector));
}

function hosts() {
  return throughout(isHost);
}

function rulesOf(element) {
  const found = [];
  let closed = 0;
  const visit = (rules) => {
    for (const rule of rules) {
      if (rule.media && !matchMedia(rule.media.mediaText).matches) continue;
      if (rule.selectorText !== undefined && element.matches(rule.selectorText)) found.push(rule.cssText.replace(/\s+/g, " "));
      else if (rule.selectorText === undefined && rule.cssRules) visit(rule.cssRules);
    }
  };
  const root = element.getRootNode();
  for (const sheet of [...(root.styleSheets ?? []), ...(root.adoptedStyleSheets ?? [])]) {
    try {
      visit(sheet.cssRules);
    } catch {
      closed += 1;
    }
  }
  if (closed > 0) found.push(`(${closed} sheets of other origins cannot be read)`);
  return found.join("\n");
}

function knownNumber(element) {
  return numbers.get(element) ?? 0;
}

function heldElement(number) {
  return held.get(number)?.deref() ?? null;
}

// Forgets elements that are gone; gives their numbers.
function sweep() {
  const dead = [];
  for (const [number, reference] of held) if (reference.deref() === undefined) dead.push(number);
  for (const number of dead) held.delete(number);
  return Uint32Array.from(dead);
}
