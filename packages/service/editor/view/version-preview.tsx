import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useState } from 'react'

import { addressesOf } from '../page/assets.ts'
import type { OpenedState } from '../page/state.ts'
import { readState } from '../page/state.ts'
import { pageExtensions } from '../prose/extensions.ts'
import type { AddressesOf } from '../prose/media-node.ts'
import { toProse } from '../prose/to-prose.ts'
import type { SessionApi } from '../session/api.ts'
import styles from './version-preview.module.css'

interface Props {
  readonly api: SessionApi
  readonly versionId: string
}

/** A read-only preview of a version, rendered from its state with its own files. */
export function VersionPreview({ api, versionId }: Props) {
  const [opened, setOpened] = useState<OpenedState | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    async function read(): Promise<void> {
      const answer = await api.versionState(versionId)
      if (answer.ok) setOpened(readState(answer.value))
      else setProblem(answer.failure)
    }
    void read()
  }, [api, versionId])
  if (problem !== null)
    return (
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
    )
  if (opened === null) return null
  const copyOf = (name: string): string => api.fileAddress(name, versionId)
  return <ReadOnlyPage opened={opened} addressesOf={(name) => addressesOf(opened.assets.get(name), copyOf(name))} />
}

function ReadOnlyPage(props: { readonly opened: OpenedState; readonly addressesOf: AddressesOf }) {
  const editor = useEditor({
    extensions: pageExtensions(props.addressesOf),
    content: toProse(props.opened.page),
    editable: false,
    injectCSS: false,
    editorProps: { attributes: { role: 'document', 'aria-label': 'Version preview', tabindex: '0' } },
  })
  return <EditorContent editor={editor} />
}
