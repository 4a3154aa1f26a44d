/** The contract with the service, and the words that every package shares. Pure. */

export { addAll } from './add-all.ts'
export { requestedRange } from './byte-range.ts'
export type { Cause, CauseCode } from './cause.ts'
export { cause, CausedError, causeSentence, causeSentences, isCauseCode, isOfBucket } from './cause.ts'
export { changeTexts } from './change-texts.ts'
export { reportTexts } from './report-texts.ts'
export type { Failure } from './failure-words.ts'
export { failuresInWindow, failureWords } from './failure-words.ts'
export { describeFault, errorCode } from './describe-fault.ts'
export type { HostReach } from './host-reach.ts'
export { isReached, reachOf } from './host-reach.ts'
export type { CallbackId, MaterialId, Sha256, SiteId, SnapshotId, TaskId, VersionId } from './ids.ts'
export { isSha256, siteIdForm } from './ids.ts'
export { keysIn, withoutUndefined } from './members.ts'
export { loadCssReferences, loadHtmlReferences, loadPageBlocks, loadPageText, loadReferenceFinder } from './late.ts'
export {
  cacheControl,
  extensionByBytes,
  isStyleSheet,
  mayReferToFiles,
  mediaType,
  pageMediaType,
  storedMediaType,
  typeBytes,
} from './media-types.ts'
export { asciiDomain, isAllowedHost } from './protocol/allowed-domains.ts'
export type { FailureAnswer, Outcome } from './protocol/answer.ts'
export { failureAnswer, successFrame, successMessage } from './protocol/answer.ts'
export type { ArchiveLimits, EntryRole } from './protocol/archive.ts'
export {
  archiveLimits,
  entryNameMaxBytes,
  entryNameProblem,
  fontsRole,
  mediaRole,
  shownName,
} from './protocol/archive.ts'
export type { CallbackBody, CallbackEvent, CallbackHead, SignedCallback } from './protocol/callback.ts'
export {
  claimedKind,
  judgeCallback,
  nameLimitChars,
  notUnicode,
  readCallbackBody,
  readCallbackHead,
} from './protocol/callback.ts'
export type { ContentUrl } from './protocol/content-url.ts'
export { downloadPath, parseContentUrl, readsAsDownload } from './protocol/content-url.ts'
export type { CallbackFailure, CredentialsState, FailureCode, RefusalRule, SecretsState } from './protocol/failure.ts'
export { failureFacts } from './protocol/failure.ts'
export { fillFontUrls } from './protocol/fonts.ts'
export { archiveFacts, metadataFact, sessionMetadata } from './protocol/metadata.ts'
export { createAddressReader } from './protocol/own-address.ts'
export {
  currentFontsCssPath,
  encodeSegment,
  fontsCssName,
  fontsPath,
  hashStart,
  isPublicUrl,
  mediaPath,
  percentDecoded,
  readFontUrl,
  readMediaUrl,
} from './protocol/public-url.ts'
export { redactMetadata, redactPayload, redactUrl } from './protocol/redaction.ts'
export {
  hideCredentials,
  hideNamedSecrets,
  isCredentialKey,
  isSecretKey,
  redactedMark,
} from './protocol/secret-values.ts'
export type { OpenFailure, Session } from './protocol/session.ts'
export { historyKeptMs, openRequestBody, readOpenAnswer } from './protocol/session.ts'
export { defaultSignatureHeader, signedText, strictSignature } from './protocol/signed-text.ts'
export { clientUrls, writeClientUrls } from './protocol/state.ts'
export type { Result } from './result.ts'
export { assertNever, fail, ok } from './result.ts'
export type { Step } from './step.ts'
export type { TaskProgress, TaskStep } from './task-progress.ts'
export { cssBlocks } from './text/css/declarations.ts'
export { namedFamilies, shorthandFamilies } from './text/css/families.ts'
export { fontFaces } from './text/css/font-faces.ts'
export type { FontChange, PageFont } from './text/css/font-values.ts'
export { changedFont, fontChange, initialFont } from './text/css/font-values.ts'
export type { Rule } from './text/css/rules.ts'
export { matches, rulesOf } from './text/css/rules.ts'
export { cutAtWord } from './text/cut-at-word.ts'
export type { Edit } from './text/edits.ts'
export { applyEdits } from './text/edits.ts'
export { repaired, scanHtml } from './text/html/html-scan.ts'
export type { StartTag } from './text/html/html-visitor.ts'
export type { PageFacts } from './text/html/page-facts.ts'
export { createPageFacts } from './text/html/page-facts.ts'
export { createPageWords } from './text/html/page-text.ts'
export { inLine, unread } from './text/html/text-elements.ts'
export type { PlainVisitor } from './text/html/plain-scan.ts'
export { scanPlainHtml } from './text/html/plain-scan.ts'
export { refreshTarget } from './text/html/refresh-target.ts'
export type { WordsReader } from './text/html/treeless.ts'
export { createJoined } from './text/joined.ts'
export { jsonLines } from './text/json/lines.ts'
export { lastMembers } from './text/json/members.ts'
export type { JsonObject } from './text/json/objects.ts'
export { appendMembers, forEachObject, itemsAt, objectAt, removeMembers, rootOf } from './text/json/objects.ts'
export type { JsonMember, JsonValue, Range } from './text/json/reader.ts'
export { readJson, stringText } from './text/json/reader.ts'
export { stringEnd, whitespaceEnd } from './text/json/tokens.ts'
export { cutAddresses, harvestCss, rewriteCss } from './text/references/css.ts'
export { entities } from './text/references/encodings.ts'
export type { Finder, Found } from './text/references/finder.ts'
export { dummyNames, knownUrls, restOfAddress } from './text/references/finder.ts'
export { behindBase, firstBase, isFixedBase } from './text/references/base.ts'
export type { LinkRewriter } from './text/references/html.ts'
export { framesMax, rewriteHtml } from './text/references/html.ts'
export { temporaryName, temporaryPrefix } from './text/references/temporary-name.ts'
export type { TextKind, View } from './text/references/view.ts'
export { decodedView, plainView } from './text/references/view.ts'
export { shownTitle } from './text/shown-title.ts'
export type { Term, TextRange } from './text/words.ts'
export { folded, hitsIn, termsOf, tokensOf } from './text/words.ts'
export { parsedJson } from './parsed-json.ts'
