/**
 * A unique name for a new file: the chosen name without characters that cause trouble in paths and URLs. Letters of
 * every script are kept.
 */
export function freeName(chosen: string, taken: (name: string) => boolean): string {
  const dot = chosen.lastIndexOf('.')
  const stem = plain(dot > 0 ? chosen.slice(0, dot) : chosen) || 'file'
  const extension = dot > 0 ? plain(chosen.slice(dot + 1)).toLowerCase() : ''
  const name = (count: number): string =>
    `${stem}${count > 1 ? `-${count}` : ''}${extension === '' ? '' : `.${extension}`}`
  let count = 1
  while (taken(name(count))) count++
  return name(count)
}

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
