/* interface.c - the names that texts may have: schedules, strategies, parameters, nets (test/interface.sh). */
#include <stdio.h>

#include "dls.h"
#include "dls/net.h"
#include "dls/strategy.h"

static void parameters(const char *of, const struct dls_param *param, size_t most)
{
	for (size_t i = 0; i < most && param[i].name; i++)
		printf("parameter of %s: %s %s\n", of, param[i].name, param[i].words ? param[i].words : "");
}

int main(void)
{
	const struct dls_calc *calc;
	const struct dls_strategy *strategy;
	const char *net;

	for (size_t i = 0; (calc = dls_calc_at(i)); i++) {
		printf("schedule %s, also %s\n", calc->name, calc->aliases ? calc->aliases : "-");
		parameters(calc->name, calc->param, DLS_PARAMS_MAX);
	}
	for (size_t i = 0; (strategy = dls_strategy_at(i)); i++) {
		printf("strategy %s, also %s\n", strategy->name, strategy->aliases ? strategy->aliases : "-");
		parameters(strategy->name, strategy->param, DLS_VALUES_MAX);
	}
	for (size_t i = 0; (net = dls_net_kind_at(i)); i++)
		printf("net %s\n", net);
	return 0;
}
