// Chai makes of every assertion a Proxy, to find misspelt names of properties. The compiler finds those, and tests with
// millions of assertions spend a twentieth of their time on it.
import { chai } from 'vitest';

chai.config.useProxy = false;
