// The thread itself.

import { serveForeign } from '@nearfield/io';

serveForeign();
