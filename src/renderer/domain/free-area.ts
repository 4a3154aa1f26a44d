import type { PreviewArea } from '../../ipc/preview-view.ts'

// The preview is a native view above the page of the window: it would hide any part of the page that overlaps it.

const stepPx = 24
/** The dividers next to the room can be grabbed a few pixels inside it. */
const edgePx = 6

const samples = (length: number): readonly number[] => {
  const inner = Math.max(0, length - 2 * edgePx)
  const count = Math.max(1, Math.ceil(inner / stepPx))
  return Array.from({ length: count + 1 }, (_, at) => edgePx + (inner * at) / count)
}

/** The uncovered part of the room, from its top; null if it is too small, or if something covers its middle. */
function freeArea(room: HTMLElement): PreviewArea | null {
  const { left, top, width, height } = room.getBoundingClientRect()
  if (width < 1 || height < 1) return null
  const columns = samples(width)
  const isFree = (y: number): boolean =>
    columns.every((x) => room.contains(document.elementFromPoint(left + x, top + y)))
  const firstCovered = samples(height).find((y) => !isFree(y))
  const free = firstCovered === undefined ? height : firstCovered - stepPx
  // A toast at the lower edge leaves most of it; a menu or a dialog does not.
  if (free < height / 2) return null
  return {
    x: Math.max(0, Math.round(left)),
    y: Math.max(0, Math.round(top)),
    width: Math.max(1, Math.floor(width)),
    height: Math.max(1, Math.floor(free)),
  }
}

/** Reports the free area for the preview, now and whenever it changes, until the returned function is called. */
export function followFreeArea(room: HTMLElement, put: (area: PreviewArea | null) => void): () => void {
  let last = ''
  let frame = 0
  const update = (): void => {
    frame = 0
    const area = freeArea(room)
    const text = JSON.stringify(area)
    if (text === last) return
    last = text
    put(area)
  }
  const soon = (): void => {
    if (frame === 0) frame = requestAnimationFrame(update)
  }
  const size = new ResizeObserver(soon)
  size.observe(room)
  const layers = new MutationObserver(soon)
  layers.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['style', 'class', 'hidden', 'data-open', 'data-closed'],
  })
  document.addEventListener('transitionend', soon)
  soon()
  return () => {
    cancelAnimationFrame(frame)
    size.disconnect()
    layers.disconnect()
    document.removeEventListener('transitionend', soon)
    // Without its room, the preview may not cover the window.
    put(null)
  }
}
