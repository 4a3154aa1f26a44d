/** Failures for objects that were deleted since they were listed. */

import type { AddressTaken } from '@galley/library'
import { tagMaxChars } from '@galley/library/records'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { fail } from '@galley/wire'
export const unknownSite = (site: SiteId) => fail({ code: 'unknown_site', site } as const)

export const unknownMaterial = (materialId: MaterialId) =>
  fail({
    code: 'unknown_material',
    materialId,
  } as const)

export const unknownVersion = (versionId: VersionId) =>
  fail({
    code: 'unknown_version',
    versionId,
  } as const)

export const unknownComment = fail({ code: 'unknown_comment' } as const)

export const unknownCallback = (id: string) => fail({ code: 'unknown_callback', id } as const)

export const unknownExport = (exportId: string) => fail({ code: 'unknown_export', exportId } as const)

export const unknownTarget = fail({ code: 'unknown_target' } as const)

export const unknownTask = fail({
  code: 'unknown_task',
} as const)

/** A text that cannot be a tag. */
export const invalidTag = (tag: string) => fail({ code: 'invalid_tag', tag, maxLength: tagMaxChars } as const)

/** Another page has the address. */
export const addressTaken = ({ path, materialId, title }: AddressTaken) =>
  fail({ code: 'address_taken', field: 'slug', path, materialId, title } as const)
