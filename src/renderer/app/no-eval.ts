import { z } from 'zod'

// Compiled checks would need `eval`, which the policy of this page refuses; said before any schema is made.
z.config({ jitless: true })
