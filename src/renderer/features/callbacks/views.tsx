import { useState } from 'react'

import { NameView } from '../../domain/name-view.tsx'
import { useRemoveView } from '../../domain/remove-view.ts'
import { parsedOr } from '../../ui/kept.ts'
import { SavedViews } from '../../ui/saved-views.tsx'
import { everything, questionSchema } from './question.ts'
import { useCallbackList, useCallbackViews } from './store.ts'

/** The log's saved views, and the dialog that names a new one. */
export function Views() {
  const { question, ask } = useCallbackList()
  const saved = useCallbackViews()
  const { views, save } = saved
  const removeView = useRemoveView(saved)
  const [isNaming, setNaming] = useState(false)
  const asked = JSON.stringify(question)
  return (
    <>
      <SavedViews
        views={views}
        asked={asked}
        onChoose={(query) => ask(parsedOr(query, questionSchema, everything))}
        onSave={() => setNaming(true)}
        onRemove={removeView}
      />
      {isNaming && <NameView views={views} onSave={(name) => save(name, asked)} onClose={() => setNaming(false)} />}
    </>
  )
}
