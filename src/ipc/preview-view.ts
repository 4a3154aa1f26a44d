import type { KeyPress } from '@galley/look'
import { z } from 'zod'

import { asks, nothing, inSite } from './call.ts'
import type { PageEnd } from './review-window.ts'

/** The area for the preview in the window, in CSS pixels of the window. */
export const previewArea = z.strictObject({
  x: z.int().min(0).max(20_000),
  y: z.int().min(0).max(20_000),
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
})
export type PreviewArea = z.infer<typeof previewArea>

/** The view in the window that shows the running preview of a site. */
export const previewViewCalls = {
  /** Shows an address of the site, without a slash at either end; empty: the home page. */
  showPreview: asks(inSite.extend({ address: z.string().max(1000) })).gives<null>(),
  /** null hides the view. */
  placePreview: asks(z.strictObject({ area: previewArea.nullable() })).gives<null>(),
  /** Moves the keyboard focus into the view. */
  focusPreview: asks(nothing).gives<null>(),
}

export interface PreviewViewEvents {
  /** A key that the page in the view does not use was pressed there. */
  previewKey: KeyPress
  /** The process of the page ended; the view is closed until it is shown again. */
  previewEnded: { readonly why: PageEnd }
}
