import type { WebContents } from 'electron'

/**
 * Loads one page after the other into a view and tells of each whether it came up; null empties the view.
 *
 * How a load ends is heard by its address, which no other load has. The promise of `loadURL` would not do: where a page takes
 * the place of one that still loads, it ends with whichever load ends next.
 */
export function createPageLoading(contents: WebContents): (url: string | null) => Promise<boolean> {
  let awaited: { readonly url: string; readonly end: (isUp: boolean) => void } | null = null

  function end(isUp: boolean): void {
    awaited?.end(isUp)
    awaited = null
  }
  contents.on('did-navigate', (_event, url) => {
    if (url === awaited?.url) end(true)
  })
  contents.on('did-fail-provisional-load', (_event, _code, _text, url, isMainFrame) => {
    if (isMainFrame && url === awaited?.url) end(false)
  })
  contents.on('render-process-gone', () => end(false))
  contents.on('destroyed', () => end(false))

  return (url) => {
    end(false)
    const isUp = url === null ? Promise.resolve(true) : new Promise<boolean>((end) => (awaited = { url, end }))
    contents.loadURL(url ?? 'about:blank').catch(() => null)
    return isUp
  }
}
