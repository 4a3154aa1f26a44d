import { siteIdForm } from '@galley/wire'
import { z } from 'zod'

import { brokenLink } from './broken-link.ts'
import { count, idText, list, text } from './logged-values.ts'
import { leftOutReasons } from './outgoing.ts'
import { fileCounts } from './release.ts'

// What the library keeps of an export.

/** What to export, and where. */
export const exportRequest = z.strictObject({
  site: z.string().regex(siteIdForm),
  /** Empty: every material that was ever saved and is not archived. */
  materials: z.array(z.string()).max(20_000),
  /** Versions that are exported whatever the site's rule says. The rule selects the others. */
  pins: z.array(z.strictObject({ materialId: z.string(), versionId: z.string() })).max(20_000),
  target: z.strictObject({ kind: z.enum(['folder', 'zip']), path: z.string().min(1).max(4096) }),
  /** The address that the bundle will have; null: any. */
  baseUrl: z.string().max(2000).nullable(),
  check: z.enum(['warn', 'block', 'off']),
  /** Reads back and compares every file of the target. */
  verify: z.boolean().optional(),
})
export type ExportRequest = z.infer<typeof exportRequest>

const leftOut = z.object({
  materialId: idText,
  title: text,
  versionId: idText,
  reason: z.enum(leftOutReasons),
  insteadVersionId: idText.nullable(),
})

/** The report of a successful export. At most 1,000 broken references and materials left out are listed. */
export const exportReport = z.object({
  /** With the manifest. */
  counts: fileCounts,
  brokenReferences: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  broken: list(brokenLink),
  leftOut: z.object({ count, list: list(leftOut) }),
})
export type LoggedExport = Readonly<z.output<typeof exportReport>>
