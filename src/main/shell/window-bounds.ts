import type { Bounds } from './window-file.ts'

const first = { width: 1280, height: 800 }
export const smallest = { width: 760, height: 520 }
/** How much of the title bar must be on a display, so that a person can move the window. */
const minVisiblePx = 80

/**
 * The bounds for opening the window: its last ones, adjusted to their display, or the default on the main display if that
 * display is disconnected.
 */
export function openingBounds(kept: Bounds | null, displays: readonly Bounds[]): Partial<Bounds> {
  if (kept === null) return first
  const display = displays.find(
    ({ x, y, width, height }) =>
      kept.x + kept.width > x + minVisiblePx &&
      kept.x < x + width - minVisiblePx &&
      kept.y >= y &&
      kept.y < y + height - minVisiblePx,
  )
  if (display === undefined) return first
  return {
    x: kept.x,
    y: kept.y,
    width: Math.max(smallest.width, Math.min(kept.width, display.width)),
    height: Math.max(smallest.height, Math.min(kept.height, display.height)),
  }
}
