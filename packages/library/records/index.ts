/** The records of a library, their rules, and what lists and details show of them. Pure. */

export type { AddressProblem } from './addresses.ts'
export { addressesOf, readAddress, readRedirect } from './addresses.ts'
export { appLink, readAppLink } from './app-link.ts'
export { withoutBase } from './without-base.ts'
export type { BrokenLink, BrokenReason, LinkReport, SourcePosition } from './broken-link.ts'
export { brokenCode, countBroken, describeBrokenReason } from './broken-link.ts'
export type { CallbackRecord } from './callback-record.ts'
export { anchor as commentAnchor, commentId, commentText, quoteMaxChars } from './comment.ts'
export type {
  BucketReport,
  CheckReport,
  CollectReport,
  EntryState,
  EraseReport,
  Finding,
  FindingFacts,
  PruneReport,
  RestoreReport,
  Touched,
} from './care-reports.ts'
export { isLeft, protections } from './care-reports.ts'
export { editLinkOf, isEditLink } from './edit-link.ts'
export type { ExportRequest } from './export-record.ts'
export { exportRequest } from './export-record.ts'
export type { ExportFailure, ThemeProblem } from './failure.ts'
export { invalidTheme } from './failure.ts'
export type { GivenVerdict, IgnoredPart, Verdict, WantedVerdict } from './fields.ts'
export { isSamePart, reason, recordKeys, settable, wantedVerdict } from './fields.ts'
export { fieldMax } from './field-max.ts'
export {
  bundleFileName,
  contentToCheck,
  hasBundleFileName,
  isRasterImage,
  isTypeless,
  mayRunOnServer,
  startsAsPage,
} from './file-name.ts'
export type { LibraryOpening, OpeningFact } from './library-opening.ts'
export type { ListenerState, TeamReadiness } from './listener-state.ts'
export { listenFailureSentence, listenFault, storageFault } from './listener-state.ts'
export { idText } from './logged-values.ts'
export type { MaterialSession, MaterialSummary } from './material.ts'
export { mailDraft } from './mail-draft.ts'
export type { MediaChange } from './media-changes.ts'
export { mediaChanges } from './media-changes.ts'
export type { MetadataReview } from './metadata-review.ts'
export { reviewMetadata } from './metadata-review.ts'
export { compare } from './order.ts'
export type { LeftOut, LeftOutReason, Outgoing, VerdictKind } from './outgoing.ts'
export { outgoingRules } from './outgoing.ts'
export { readLanguage, readMoment } from './page-input.ts'
export type { PageNote } from './page-note.ts'
export { describePageNote } from './page-note.ts'
export { redirectParts } from './page-path.ts'
export {
  bundlePath,
  formerFiles,
  isBundlePath,
  pageAddress,
  pageFile,
  redirectFile,
  relativeUrl,
  unfinishedFolder,
} from './paths.ts'
export { isEmail } from './person.ts'
export type { CredentialField } from './plain-http.ts'
export { isLoopback, plainAddresses } from './plain-http.ts'
export type { OnlinePage, Release, FileCounts } from './release.ts'
export { brokenLinksKept } from './release.ts'
export type { Remark } from './remark.ts'
export { remarkSentence, remarkSentences } from './remark.ts'
export type { Runtime } from './runtime.ts'
export { isUnsupported } from './runtime.ts'
export type { ChosenShortcuts, CommandId, Section } from './shortcuts.ts'
export { chosenShortcuts, keysOf, sections, shortcuts } from './shortcuts.ts'
export type { SiteInput, SiteProblem } from './site-input.ts'
export {
  allowedDomain,
  publishPlace,
  publishText,
  signatureHeader,
  siteDefaults,
  siteInputOf,
  siteProblems,
} from './site-input.ts'
export type { PageSettings, SitePublishing } from './site-model-fields.ts'
export {
  isHttpUrl,
  isMenuAddress,
  isWebAddress,
  pageDefaults,
  readTags,
  redirectsAtMost,
  tagMaxChars,
  tagsAtMost,
} from './site-model-fields.ts'
export type { MenuItem, PageState, PageType, SitePage, ThemeSettings } from './site-model.ts'
export { fileOfTheme, isThemeName, pageStates, pageTypes, themeOfFiles } from './site-model.ts'
export { isPublicService, unreachableFields } from './site-reach.ts'
export type { BucketKeysPresence, BucketTarget, SecretPresence, Site, SiteSummary } from './site.ts'
export { isSampleSite, publicBase, sampleSite } from './site.ts'
export { plainName } from './slug.ts'
export { comparableTag, tagFoldersOf } from './tag-folders.ts'
export type { Target, TargetLocation, TargetSettings } from './target.ts'
export {
  isSameLocation,
  keptReleases,
  readTargetLocation,
  targetAddress,
  targetLocation,
  targetNameForm,
  targetSettings,
  targetText,
} from './target.ts'
export { textDirection } from './text-direction.ts'
export type { TimeZone } from './time-zone.ts'
export { readTimeZone, timeZone } from './time-zone.ts'
export type { MediaFile, VersionFacts, VersionSummary } from './version.ts'
export { cdateMs, versionMoment } from './version.ts'
export type { SetWebhook, WebhookDelivery, WebhookSetting } from './webhook.ts'
export { isWebhookUrl, webhookEvents } from './webhook-setting.ts'
export type {
  ActivityHour,
  CallbackCounts,
  CallbackDetail,
  CallbackFilters,
  CallbackPage,
  CallbackRow,
  Diagnosis,
  ReplayComparison,
  ReplayEnd,
  SignatureFinding,
} from '../views/callbacks.ts'
export {
  activityHours,
  callbackFilters,
  callbackKinds,
  callbackQuery,
  outcomes,
  signatureStates,
} from '../views/callbacks.ts'
export { chosenToken } from '../views/chosen-path.ts'
export type { AnsweredMaterial, CommentThread } from '../views/comments.ts'
export type { OpenPreview } from '../views/editor.ts'
export type {
  BundlePlan,
  ExportContents,
  ExportPage,
  ExportPlan,
  ExportReport,
  ExportRow,
  LeftOutFindings,
  ReferenceFindings,
} from '../views/exports.ts'
export type {
  FaceUsers,
  FamilyUsage,
  FontFace,
  FontUsage,
  SnapshotDetail,
  SnapshotDifference,
  SnapshotRow,
  Users,
} from '../views/fonts.ts'
export type {
  Health,
  KeychainHealth,
  LibraryReport,
  OpenSiteProblem,
  RestoredLibrary,
  Retention,
  SiteWithProblems,
} from '../views/health.ts'
export { retention } from '../views/health.ts'
export type {
  Facet,
  FailedSave,
  FailedSaves,
  ListeningGap,
  MaterialFacets,
  MaterialFilters,
  MaterialPage,
  MaterialQuery,
  MaterialRow,
  MaterialStatus,
  SavedView,
  StoredFile,
  TextPiece,
  UnsignedSaves,
} from '../views/materials.ts'
export { materialOrders, materialQuery, statusFilters } from '../views/materials.ts'
export type { SearchFound, SearchQuery } from '../views/search.ts'
export { searchKinds } from '../views/search.ts'
export type { PageChanges, PagesBefore, SitePageList, SitePageRow, SitePageView } from '../views/pages.ts'
export { otherFields, pageChanges, pageOrders, pageSort } from '../views/pages.ts'
export type { Answer, CallProblem, ProblemFacts } from '../views/problem.ts'
export type { PublishPlan, PublishReport } from '../views/publishing.ts'
export type { DecidedBefore } from '../views/versions.ts'
export type {
  ComparedVersions,
  MaterialReview,
  ReviewedCheck,
  ReviewPage,
  ReviewQuery,
  ReviewRow,
} from '../views/review.ts'
export { reviewQuery, reviewStates, waitingStates } from '../views/review.ts'
export type { EditableRules, PausedSaves, SavePause, SavePauses, SiteRules } from '../views/rules.ts'
export { editableRules } from '../views/rules.ts'
export type { AppSettings, KeyVariable } from '../views/settings.ts'
export { appSettings, backupsBeside, defaultSettings } from '../views/settings.ts'
export { siteIdText } from '../views/site-id.ts'
export { anyChange, bothChanges } from '../views/changes.ts'
export type { Change, MaterialRef, Subject, VersionRef } from '../views/changes.ts'
export type { Republished, SiteCheck, SiteCheckCode, TargetFinding } from '../views/sites.ts'
export { siteForm } from '../views/sites.ts'
export type { Task, TaskKind, TaskName, TaskResults } from '../views/tasks.ts'
export { isStepwise, taskName } from '../views/tasks.ts'
export type { FieldValue, TeamConflict, TeamConflicts, TeamSyncState, TeamView } from '../views/team.ts'
export type {
  Decision,
  JsonLevel,
  JsonMemberView,
  JsonPiece,
  TextPart,
  VersionChange,
  VersionPage,
  VersionRow,
} from '../views/versions.ts'
