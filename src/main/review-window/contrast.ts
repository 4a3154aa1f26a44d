import type { WebContents } from 'electron'
import { z } from 'zod'

import { run } from './marks.ts'
import { pagePaths } from './page-paths.ts'

/** More texts than this are not measured, and more findings are not listed. */
const limits = { texts: 5_000, findings: 200 }

/**
 * What runs in a page: WCAG's contrast of each text with what is behind it. Where a picture may be behind it, nothing is
 * said. A string, since main has no types of a document.
 */
const script = `(limits) => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const colorOf = (text) => {
    if (!known.has(text)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = text;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      known.set(text, [r, g, b, a / 255]);
    }
    return known.get(text);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((each, at) => each * a + below[at] * (1 - a));
  const backgroundOf = (element) => {
    const layers = [];
    for (let each = element; each !== null; each = each.parentElement) {
      const { backgroundColor, backgroundImage, position, opacity, mixBlendMode } = getComputedStyle(each);
      if (backgroundImage !== 'none' || opacity !== '1' || mixBlendMode !== 'normal') return null;
      const color = colorOf(backgroundColor);
      layers.push(color);
      if (color[3] === 1) break;
      if (/absolute|fixed|sticky/.test(position)) return null;
    }
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const light = (color) => {
    const [r, g, b] = color.map((each) => each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paths = ${pagePaths};
  const found = [];
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, 4);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === '' || seen.has(element) || element.closest('svg, script, style, noscript, template')) continue;
    if (seen.size >= limits.texts || found.length >= limits.findings) break;
    seen.add(element);
    const { color, fontSize, fontWeight, visibility, clip, clipPath } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    if (visibility !== 'visible' || width <= 1 || height <= 1 || clip !== 'auto' || clipPath !== 'none') continue;
    const background = backgroundOf(element);
    if (background === null) continue;
    const [one, other] = [light(over(colorOf(color), background)), light(background)];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const size = parseFloat(fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    const path = paths.of(element);
    if (ratio < least - 0.005 && path !== null)
      found.push({ path, ratio, text: element.textContent.replace(/\\s+/g, ' ').trim().slice(0, 80) });
  }
  return found;
}`

const answer = z
  .array(z.strictObject({ path: z.array(z.int().min(0)).max(512), ratio: z.number(), text: z.string().max(80) }))
  .max(limits.findings)

/** The texts of a loaded page that are hard to tell from what is behind them, in the order of the page. */
export async function lowContrastIn(contents: WebContents): Promise<z.output<typeof answer>> {
  const found = answer.safeParse(await run(contents, `(${script})(${JSON.stringify(limits)})`).catch(() => null))
  return found.success ? found.data : []
}
