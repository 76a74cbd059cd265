import { sharedEmbeddedDatabase } from "../support/databases.ts"
import { storeContract } from "./storeContract.ts"

storeContract("the stores on PGlite", sharedEmbeddedDatabase)
