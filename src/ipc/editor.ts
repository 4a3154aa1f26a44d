import { titleMaxChars } from '@galley/library/records'
import type { Answer, OpenPreview } from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { z } from 'zod'

import { inMaterial } from './materials.ts'
import type { Inputs } from './problem.ts'

/**
 * An opened session, and whether the browser shows it. It may not, because its URL is unsafe, because a person declined a
 * URL outside the service's origin, or because no browser starts.
 */
export interface OpenedEditor {
  readonly url: string
  readonly reused: boolean
  readonly browser: 'shown' | 'unsafe' | 'declined' | 'failed'
}

export interface EditorCalls {
  previewOpen: { input: { site: SiteId; materialId: MaterialId }; output: Answer<OpenPreview> }
  openEditor: {
    input: {
      site: SiteId
      materialId: MaterialId
      title: string | null
      slug?: string | null | undefined
      /** A JSON object as text, sent unchanged. null or absent: the metadata sent last. */
      metadata?: string | null | undefined
    }
    output: Answer<OpenedEditor>
  }
}

export const editorInputs: Inputs<EditorCalls> = {
  previewOpen: inMaterial,
  openEditor: inMaterial.extend({
    title: z.string().max(titleMaxChars).nullable(),
    slug: z.string().max(500).nullable().optional(),
    metadata: z
      .string()
      .max(4 * 1024 * 1024)
      .nullable()
      .optional(),
  }),
}
