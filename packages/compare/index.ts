/** What changed between two versions of a page, as people would say it. Pure. */

export type {
  Anchor,
  AnchorPlace,
  AnchorState,
  FoundAnchor,
  PagePart,
  Quote,
  Region,
  RegionAnchor,
  TextAnchor,
} from './anchors.ts'
export { AnchorFinder, anchorOf, elementAnchorOf, findAnchors, partAround, partWithin, regionOf } from './anchors.ts'
export type { BlockKind, BlockPlace, Page, TextBlock } from './blocks.ts'
export { filesIn, placeOf, readPage, textsOf } from './blocks.ts'
export type { BlockPair, Change, ChangeKind, FactKind, FilePair, NamedPart } from './changes.ts'
export { blockPairs, changesOf } from './changes.ts'
export type { PageCheck } from './checks.ts'
export { checksOf, newChecks } from './checks.ts'
export type { Comparison, HeadChange, HeadPart, OtherParts } from './compare.ts'
export { compare, isUnchanged } from './compare.ts'
export type { MediumKind, PageFile } from './content.ts'
export type { HashOf } from './identity.ts'
export type { Band } from './looks.ts'
export { bandsOf, looksOf } from './looks.ts'
export { metadataDiffers } from './metadata.ts'
export type { Bitmap, Box, BoxPair, ComparedPixels, PagePixels } from './pixels.ts'
export { compareBitmaps, comparePixels } from './pixels.ts'
export type { Fact, Summary } from './summary.ts'
export { summaryOf } from './summary.ts'
