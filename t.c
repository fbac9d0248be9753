#include "w_*.h"
int main(void){return 0;}
