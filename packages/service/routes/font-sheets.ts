import { dummyNames, encodeSegment, mediaType, rewriteCss } from '@galley/wire'

import { refusal } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import type { Store } from '../store/open-store.ts'
import { storedReply } from './stored-reply.ts'

const notFound = refusal(404, 'not_found', 'There is no such font.')

/** The style sheet with its temporary names replaced by `files/<name>`. */
const shownSheet = (css: string, fileNames: readonly string[]): string =>
  rewriteCss(css, dummyNames(new Map(fileNames.map((name) => [name, `files/${encodeSegment(name)}`])))).text

/** The font set for the editor page, served by the emulator so that it works offline. */
export const fontSheetRoutes = ({ snapshots, contents }: Store): readonly Route[] => [
  {
    method: 'GET',
    path: '/_emulator/fonts/:snapshot_id/vms_fonts.css',
    handle(_incoming, snapshotId = '') {
      const sheet = snapshots.sheet(snapshotId)
      if (sheet === null) return notFound
      const body = shownSheet(sheet.css, snapshots.fontNames(snapshotId))
      return { status: 200, contentType: 'text/css; charset=utf-8', body }
    },
  },
  {
    method: 'GET',
    path: '/_emulator/fonts/:snapshot_id/files/:name',
    handle(incoming, snapshotId = '', name = '') {
      const bytes = snapshots.font(snapshotId, name)
      return bytes === null ? notFound : storedReply(incoming, contents, bytes, mediaType(name))
    },
  },
]
