// Deals a second of processor time by one thread of OMPEval: SECONDS RANGE RANGE...
#include <omp/EquityCalculator.h>

#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

int main(int count, char** arguments)
{
    const double seconds = std::atof(arguments[1]);
    std::vector<omp::CardRange> ranges;
    for (int i = 2; i < count; ++i)
        ranges.emplace_back(std::string(arguments[i]));
    omp::EquityCalculator calculator;
    auto look = [&](const omp::EquityCalculator::Results& results) {
        if (results.time > seconds)
            calculator.stop();
    };
    const std::clock_t start = std::clock();
    calculator.start(ranges, 0, 0, false, 0, look, 0.05, 1);
    calculator.wait();
    const double taken = double(std::clock() - start) / CLOCKS_PER_SEC;
    std::cout << calculator.getResults().hands / taken << std::endl;
}
