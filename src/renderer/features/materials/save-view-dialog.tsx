import { useProblemText } from '../../i18n/problem-text.ts'
import { NameView } from '../../ui/saved-views.tsx'
import { useMaterialViews, useMaterials } from './store.ts'

/** Gives what the table shows now a name. */
export function SaveViewDialog() {
  const problemText = useProblemText()
  const { question, setDialog } = useMaterials()
  const { views, save } = useMaterialViews()
  return (
    <NameView
      views={views}
      onSave={async (name) => {
        const saved = await save(name, JSON.stringify(question))
        return saved.ok ? null : problemText(saved.failure)
      }}
      onClose={() => setDialog({ kind: 'none' })}
    />
  )
}
