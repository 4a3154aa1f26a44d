/** The conformance kit for any site backend. */

export { themes } from './cases.ts'
export type { NoRun } from './conformance.ts'
export { runConformance } from './conformance.ts'
export type { Result } from './judge/verdict.ts'
export type { Options } from './options.ts'
export { portOf, usualPort } from './options.ts'
export { isHeaderValue } from './protocol/credentials.ts'
export { reportJson } from './report/json.ts'
export { junitXml } from './report/junit.ts'
export type { Outcome, Policy, Report } from './report/report.ts'
export { isPassing } from './report/report.ts'
export { marks, reportText } from './report/table.ts'
