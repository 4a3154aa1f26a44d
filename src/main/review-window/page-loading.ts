import type { WebContents } from 'electron'

/**
 * Loads pages into a view in sequence and reports whether each was loaded; null empties the view.
 *
 * Matches the end of a load by its URL, which is unique. The promise of `loadURL` is not reliable: if a page replaces one
 * that is still loading, it settles with whichever load ends next.
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
