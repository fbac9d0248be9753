#include "crypto/fipsmodule/bcm.cc"

using namespace bssl;

#include "ec_point.h"

static const EC_GROUP *group = EC_group_p384();

static void host_read(EC_FELEM *r, const unsigned char *bytes, int bound) {
    (void)bound;
    if (!ec_felem_from_bytes(group, r, bytes, 48)) {
        abort();
    }
}

static void host_write(unsigned char *bytes, const EC_FELEM *a) {
    size_t length;
    ec_felem_to_bytes(group, bytes, &length, a);
}
