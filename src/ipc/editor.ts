import { fieldMax } from '@galley/library/records'
import type { Answer, OpenPreview } from '@galley/library/records'
import { z } from 'zod'

import { asks, inMaterial } from './call.ts'

/**
 * An opened session, and whether the browser shows it. It may not, because its URL is unsafe, because a person declined a
 * URL outside the service's origin, or because no browser starts.
 */
export interface OpenedEditor {
  readonly url: string
  readonly reused: boolean
  readonly browser: 'shown' | 'unsafe' | 'declined' | 'failed'
}

export const editorCalls = {
  previewOpen: asks(inMaterial).gives<Answer<OpenPreview>>(),
  openEditor: asks(
    inMaterial.extend({
      title: z.string().max(fieldMax.title).nullable(),
      slug: z.string().max(fieldMax.slug).nullable().optional(),
      metadata: z
        .string()
        .max(4 * 1024 * 1024)
        .nullable()
        .optional(),
    }),
  ).gives<Answer<OpenedEditor>>(),
}
