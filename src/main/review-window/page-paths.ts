/**
 * How elements of a stored page are found in a view, as a string, since main has no types of a document. A path has, for each
 * element on the way from the root element, its number among the elements of its parent. Inside a theme, the content of the
 * page is between two comments that begin with the random key of its address: what is around it has no path.
 */
export const pagePaths = `(() => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
  let [begin, end, moved] = [null, null, 0];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const [key, count] = node.data.split(' ');
    if (key !== location.host) continue;
    if (begin === null) [begin, moved] = [node, Number(count)];
    else { end = node; break; }
  }
  const body = begin === null || end?.parentNode !== begin.parentNode ? null : begin.parentElement;
  const inBody = () => {
    const found = [];
    for (let node = begin.nextSibling; node !== end; node = node.nextSibling) if (node.nodeType === 1) found.push(node);
    return found.slice(moved);
  };
  const childrenOf = (element) => element === body ? inBody() : [...element.children];
  return {
    /** The element at a path; undefined if there is none. */
    at(path) {
      let element = document.documentElement;
      let rest = path;
      if (body !== null && path.length > 0) [element, rest] = path[0] === 1 ? [body, path.slice(1)] : [null, []];
      for (const at of rest) element = element ? childrenOf(element)[at] : undefined;
      return element ?? undefined;
    },
    /** The path of an element; null: it is not of the stored page. */
    of(element) {
      const path = [];
      for (let each = element; each !== body && each.parentElement !== null; each = each.parentElement) {
        const number = childrenOf(each.parentElement).indexOf(each);
        if (number < 0) return null;
        path.unshift(number);
        if (each.parentElement === body) return [1, ...path];
      }
      return body === null ? path : element === body ? [1] : null;
    },
    /** What is in an element, or a part of it behind and before elements of it. */
    range(element, run) {
      const range = document.createRange();
      range.selectNodeContents(element);
      if (element === body) { range.setStartAfter(begin); range.setEndBefore(end); }
      if (run === null) return range;
      const children = childrenOf(element);
      const [first, last] = [children[run.from - 1], children[run.to]];
      if (first) range.setStartAfter(first);
      if (last) range.setEndBefore(last);
      return range;
    },
  };
})()`
