import { Brand } from "./Brand.tsx"
import { SignInForm } from "./SignInForm.tsx"
import { useTitle } from "./useTitle.ts"

export const SignIn = () => {
  useTitle("Sign in")
  return (
    <main className="page sign-in">
      <Brand />
      <h1>Sign in</h1>
      <SignInForm />
      <p className="muted">
        Started with <code>npm start</code>? The link that it printed signs you in, and the key is in the file that it
        named.
      </p>
    </main>
  )
}
