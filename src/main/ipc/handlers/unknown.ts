/** Failures for objects that were deleted since they were listed. */

import type { AddressTaken } from '@galley/library'
import { tagMaxChars } from '@galley/library/records'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { fail } from '@galley/wire'
export const unknownSite = (site: SiteId) => fail({ code: 'unknown_site', facts: { site } } as const)

export const unknownMaterial = (materialId: MaterialId) =>
  fail({
    code: 'unknown_material',
    facts: { materialId },
  } as const)

export const unknownVersion = (versionId: VersionId) =>
  fail({
    code: 'unknown_version',
    facts: { versionId },
  } as const)

export const unknownCallback = (id: string) => fail({ code: 'unknown_callback', facts: { id } } as const)

export const unknownExport = (exportId: string) => fail({ code: 'unknown_export', facts: { exportId } } as const)

export const unknownTarget = fail({ code: 'unknown_target' } as const)

export const unknownTask = fail({
  code: 'unknown_task',
} as const)

/** A text that cannot be a tag. */
export const invalidTag = (tag: string) =>
  fail({ code: 'invalid_tag', facts: { tag, maxLength: tagMaxChars } } as const)

/** Another page has the address. */
export const addressTaken = ({ path, materialId, title }: AddressTaken) =>
  fail({ code: 'address_taken', field: 'slug', facts: { path, materialId, title } } as const)
