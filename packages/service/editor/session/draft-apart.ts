import type { JSONContent } from '@tiptap/core'

import type { Assets } from '../page/assets.ts'
import { freeName } from '../page/file-names.ts'
import type { Draft } from './drafts.ts'

/**
 * A draft of a page that was saved elsewhere meanwhile. That save may have added other files under the names of the
 * draft's files (browsers call every pasted picture `image.png`), so those get free names.
 */
export function draftApart(draft: Draft, assets: Assets, baseVersionId: string | null): Draft {
  if (draft.over === baseVersionId) return draft
  const taken = new Set([...assets.keys(), ...draft.files.map(({ name }) => name)])
  const renamed = new Map<string, string>()
  const files = draft.files.map(({ name, file }) => {
    if (!assets.has(name)) return { name, file }
    const free = freeName(name, (candidate) => taken.has(candidate))
    taken.add(free)
    renamed.set(name, free)
    return { name: free, file }
  })
  const withNames = ({ attrs, content, ...node }: JSONContent): JSONContent => ({
    ...node,
    ...(attrs && {
      attrs: { ...attrs, ...(renamed.has(String(attrs['file'])) && { file: renamed.get(String(attrs['file'])) }) },
    }),
    ...(content && { content: content.map(withNames) }),
  })
  return { ...draft, files, doc: withNames(draft.doc) }
}
