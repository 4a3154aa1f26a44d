/** Whether an error comes from the operating system. Any other error is a bug. */
export const isSystemError = (error: unknown): error is Error & { readonly code: string; readonly path?: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
