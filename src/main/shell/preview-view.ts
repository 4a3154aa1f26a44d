import { randomUUID } from 'node:crypto'
import type { Preview } from '@galley/sites'
import type { SiteId } from '@galley/wire'
import { WebContentsView } from 'electron'
import type { BrowserWindow, Session } from 'electron'

import type { HandlersOf } from '../../ipc/call.ts'
import type { PreviewArea, previewViewCalls } from '../../ipc/preview-view.ts'
import { isKeyOfPage } from '../../ipc/review-window.ts'
import { isolatedSession } from '../electron/isolated-session.ts'
import { keyPressOf } from '../electron/key-press.ts'
import type { Push } from '../electron/serve.ts'
import { limitPage, processBytes } from '../review-window/page-limits.ts'
import { pagePreferences } from '../review-window/quarantine.ts'

interface PreviewViewPorts {
  readonly window: BrowserWindow
  readonly previews: {
    of(site: SiteId): Preview | null
    onChange(listener: (site: SiteId) => void): () => void
  }
  readonly push: Push
}

const modifiers: ReadonlySet<string> = new Set(['Control', 'Alt', 'AltGraph', 'Meta', 'Shift'])

/**
 * The running preview of one site as a view in the window. Its pages are not trusted: they run no script, and their
 * private session answers requests for this preview and refuses all others.
 */
export function createPreviewView({ window, previews, push }: PreviewViewPorts) {
  let view: WebContentsView | null = null
  let opening: Promise<WebContentsView> | null = null
  let session: Promise<Session> | null = null
  let site: SiteId | null = null
  let area: PreviewArea | null = null
  /** What the view is loading: until that is over, its URL is the one before. */
  let loading: string | null = null

  const base = (): string | null => (site === null ? null : (previews.of(site)?.url ?? null))
  const isOwn = (url: string): boolean => {
    const own = base()
    return own !== null && url.startsWith(own)
  }

  async function open(): Promise<WebContentsView> {
    view = createView(await (session ??= previewSession(isOwn)), isOwn, load, { window, push })
    limitPage(view.webContents, processBytes, (why) => {
      close()
      push('previewEnded', { why })
    })
    return view
  }

  function close(): void {
    const closing = view
    ;[view, opening, loading] = [null, null, null]
    if (closing === null) return
    if (!window.isDestroyed()) window.contentView.removeChildView(closing)
    if (!closing.webContents.isDestroyed()) closing.webContents.close()
  }

  function load({ webContents }: WebContentsView, url: string): void {
    loading = url
    const over = () => {
      if (loading === url) loading = null
    }
    // A load that another one replaces fails.
    void webContents.loadURL(url).then(over, over)
  }
  const put = (): void => {
    if (view !== null && !window.isDestroyed()) putView(window, view, area)
  }
  const stopFollowing = previews.onChange((changed) => {
    if (changed !== site || view === null) return
    // Reloading would go back to the page before.
    if (loading === null) view.webContents.reload()
    else load(view, loading)
  })
  window.on('closed', close)

  const handlers: HandlersOf<typeof previewViewCalls> = {
    async showPreview({ site: wanted, address }) {
      site = wanted
      const url = base()
      if (url === null) return null
      const shown = view ?? (await (opening ??= open()))
      put()
      // An address is a path within the preview, even if it begins with a slash or is not well-formed text.
      const path = address.toWellFormed().split('/').map(encodeURIComponent).join('/')
      const at = new URL(path === '' ? '.' : `./${path}/`, url).href
      // For a missing page, the site's own error page is shown.
      if ((loading ?? shown.webContents.getURL()) !== at) load(shown, at)
      return null
    },
    placePreview({ area: next }) {
      area = next
      put()
      return null
    },
    focusPreview() {
      if (view !== null && area !== null) view.webContents.focus()
      return null
    },
  }
  return {
    handlers,
    stop(): void {
      stopFollowing()
      window.off('closed', close)
      close()
    },
  }
}

/** A view of the preview. Keys that its page does not use go to the window. */
function createView(
  session: Session,
  isOwn: (url: string) => boolean,
  load: (view: WebContentsView, url: string) => void,
  { window, push }: Pick<PreviewViewPorts, 'window' | 'push'>,
): WebContentsView {
  const view = new WebContentsView({ webPreferences: { ...pagePreferences, session } })
  const contents = view.webContents
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  view.setBackgroundColor('#ffffff')
  // Navigation is blocked in every page of the app. The view loads links within the preview itself.
  const follow = ({ url, isMainFrame }: { readonly url: string; readonly isMainFrame: boolean }): void => {
    if (isMainFrame && isOwn(url)) load(view, url)
  }
  contents.on('will-frame-navigate', follow)
  contents.on('will-redirect', follow)
  contents.on('before-input-event', (event, input) => {
    const pressed = keyPressOf(input)
    if (input.type !== 'keyDown' || modifiers.has(pressed.key) || isKeyOfPage(pressed)) return
    event.preventDefault()
    window.webContents.focus()
    push('previewKey', pressed)
  })
  return view
}

function putView(window: BrowserWindow, view: WebContentsView, area: PreviewArea | null): void {
  if (area === null) {
    // A hidden view must not keep the focus.
    if (view.webContents.isFocused()) window.webContents.focus()
    window.contentView.removeChildView(view)
    return
  }
  // The window may be zoomed, which scales its pixels; the preview follows.
  const scale = window.webContents.getZoomFactor()
  const scaled = (px: number): number => Math.round(px * scale)
  const { x, y, width, height } = area
  window.contentView.addChildView(view)
  view.setBounds({ x: scaled(x), y: scaled(y), width: scaled(width), height: scaled(height) })
}

/** A session that answers only the requests that `isOwn` names. */
async function previewSession(isOwn: (url: string) => boolean): Promise<Session> {
  const own = await isolatedSession(`preview-${randomUUID()}`)
  // Main fetches from the preview: the session itself has no network access.
  own.protocol.handle('http', ({ url, method, headers }) =>
    isOwn(url) && (method === 'GET' || method === 'HEAD')
      ? fetch(url, { method, headers: rangeOf(headers), redirect: 'manual' })
      : new Response(null, { status: 403 }),
  )
  own.webRequest.onBeforeRequest(({ url, resourceType }, done) => {
    const isInline = url.startsWith('data:') && (resourceType === 'image' || resourceType === 'font')
    done({ cancel: !isOwn(url) && !isInline })
  })
  return own
}

const rangeOf = (headers: Headers): Record<string, string> => {
  const range = headers.get('range')
  return range === null ? {} : { range }
}
