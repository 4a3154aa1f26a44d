import { fail } from '../../../../contract/result.ts'

/** The failures of a call about something that is gone since it was listed. */

export const unknownSite = (site: string) =>
  fail({ code: 'unknown_site', message: `There is no site ${site} any more.`, facts: { site } } as const)

export const unknownMaterial = (materialId: string) =>
  fail({
    code: 'unknown_material',
    message: `There is no material ${materialId} in the library.`,
    facts: { materialId },
  } as const)

export const unknownVersion = (versionId: string) =>
  fail({
    code: 'unknown_version',
    message: 'This version is not in the library any more.',
    facts: { versionId },
  } as const)

export const unknownCallback = (id: string) =>
  fail({ code: 'unknown_callback', message: 'This callback is not in the log any more.', facts: { id } } as const)

export const unknownExport = (exportId: string) =>
  fail({ code: 'unknown_export', message: 'This export is not in the history any more.', facts: { exportId } } as const)

export const unknownTask = fail({
  code: 'unknown_task',
  message: 'This task has ended and was taken off the list.',
} as const)
