import type { VersionRow } from '@galley/library/records'

import { CommentThreads } from '../../domain/comment-threads.tsx'

/** The comments beside a version. */
export const versionComments = ({ site, materialId, versionId }: VersionRow) => (
  <CommentThreads of={{ site, materialId, versionId }} />
)
