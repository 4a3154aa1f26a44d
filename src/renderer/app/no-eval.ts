import { z } from 'zod'

// Zod's JIT needs `eval`, which the page's CSP blocks. Must run before any schema is created.
z.config({ jitless: true })
