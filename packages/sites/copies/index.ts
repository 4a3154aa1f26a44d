/** Copies of single versions for readers without a library. */

export { writeEvidence } from './evidence.ts'
export { reportFacts, reportHtml, writeReport } from './report.ts'
export { copyVersion } from './version-copy.ts'
export { writeWacz } from './wacz.ts'
